// What only Node's entry has.
import { defaultPath, FileStore, open } from "ebbtrace";

export async function use(): Promise<void> {
  const path: string = defaultPath();
  const store = new FileStore(path);
  store.unreadable satisfies number;
  await open({ store });
  // @ts-expect-error a path is a text
  new FileStore(5);
  // @ts-expect-error it is told once, at the start
  store.path = "elsewhere";
}
