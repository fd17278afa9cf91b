// What a consumer writes, and what the compiler must refuse. Each line after an `@ts-expect-error` is wrong.
import {
  EbbtraceError,
  IndexedDbStore,
  type Memory,
  type MemoryRecord,
  MemoryStore,
  open,
  type OpenOptions,
  type Recalled,
  type Remembered,
  staticEmbedder,
  type Store,
  type StoredRecord,
} from "ebbtrace";
import { open as slim, type SlimOptions } from "ebbtrace/slim";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

export async function use(): Promise<void> {
  const memory: Memory = await open({ store: new MemoryStore(), embedder: staticEmbedder(), scope: "s", clock: () => 0 });
  await open({ embedder: null });
  await open({ embedder: async (texts: string[]) => texts.map(() => new Float32Array(3)) });
  await open({ embedder: { name: "mine", embed: async (texts) => texts.map((text) => new Float32Array(text.length)) } });

  const remembered = await memory.remember("a text", { kind: "note", tags: ["t"], metadata: { deep: [1, null, { a: "b" }] } });
  same<typeof remembered, Remembered>(true);
  const found = await memory.recall({ query: "a", k: 3, depth: "cold", profile: "fused", as_of: 0 });
  same<typeof found, Recalled>(true);
  const record: MemoryRecord | undefined = found.hits[0]?.memory;
  if (record?.state === "superseded") same<typeof record.by, string>(true);
  const records: StoredRecord[] = await memory.records();
  for (const one of records) if (one.record === "edge") same<typeof one.weight, number>(true);
  const end: () => void = memory.subscribe(({ revision, operation, elsewhere }) => void [revision.toFixed(), operation.trim(), elsewhere]);
  end();
  const review = await memory.review({ limit: 1 });
  for (const item of review.items) await memory.decide(item, "reject");
  try {
    await memory.forget("a", { reason: "old" });
  } catch (error) {
    if (error instanceof EbbtraceError) same<typeof error.code, string>(true);
  }
  const text: string = await memory.export({ scope: "s" });
  same<Awaited<ReturnType<Memory["import"]>>["records"], number>(true);
  await memory.import(text);
  const options: SlimOptions = { wasm: new URL("https://example.org/ebbtrace.wasm"), model: new Uint8Array() };
  await slim(options);
  const store: Store = new IndexedDbStore({ name: "mine", persist: false });
  same<Parameters<typeof open>[0], OpenOptions | undefined>(true);
  await store.close();

  // @ts-expect-error no content
  await memory.remember({ kind: "note" });
  // @ts-expect-error a number is no content
  await memory.remember(5);
  // @ts-expect-error a field that it has not
  await memory.remember("a", { contents: "b" });
  // @ts-expect-error not of the list
  await memory.remember("a", { category: "truth" });
  // @ts-expect-error a date is no number
  await memory.remember("a", { occurred_at: new Date() });
  // @ts-expect-error a function is no JSON
  await memory.remember("a", { metadata: { call: () => 1 } });
  // @ts-expect-error a link needs its end
  await memory.remember("a", { links: [{ relation: "related" }] });
  // @ts-expect-error no query
  await memory.recall({ k: 3 });
  // @ts-expect-error no such tier
  await memory.recall("a", { depth: "deep" });
  // @ts-expect-error a text is no number
  await memory.recall("a", { k: "3" });
  // @ts-expect-error what changes is missing
  await memory.update("a");
  // @ts-expect-error the kind of a memory is not edited
  await memory.update("a", { kind: "decision" });
  // @ts-expect-error the other end is missing
  await memory.connect("a");
  // @ts-expect-error no such status
  await memory.trackProgress({ feature: "login", status: "finished" });
  // @ts-expect-error no component
  await memory.trackFailure({ error: "it broke" });
  // @ts-expect-error no such decision
  await memory.decide(review.items[0]!, "delete");
  // @ts-expect-error a decision is about what was shown, not an id
  await memory.decide("a", "approve");
  // @ts-expect-error no such option
  await open({ stor: new MemoryStore() });
  // @ts-expect-error two methods are missing
  await open({ store: { load: async () => 0, commit: async () => "committed" as const } });
  // @ts-expect-error vectors are Float32Arrays, in a promise
  await open({ embedder: (texts: string[]) => texts.map(() => [1, 2]) });
  // @ts-expect-error the small entry needs the module
  await slim({});
  // @ts-expect-error a content is a text
  found.hits[0]?.memory.content satisfies number;
}
