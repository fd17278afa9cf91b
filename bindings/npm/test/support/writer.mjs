// A process that writes to a file: `path name count`. It tells each id once it is acknowledged. With `hold` as count it
// stores one memory, and stops in the middle of the next commit, with the lock, until a line comes in.
import { open as openFile } from "node:fs/promises";
import { FileStore, open } from "../../dist/node.js";

const [path, name, count] = process.argv.slice(2);
const memory = await open({ store: new FileStore(path), embedder: null });
const write = async (number) => {
  const { id } = await memory.remember(`${name} writes number ${number} of its own words`, { id: `${name}-${number}` });
  process.stdout.write(`${id}\n`);
};

if (count === "hold") {
  await write(0);
  const handle = await openFile(path, "r");
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  const { datasync } = prototype;
  prototype.datasync = async function () {
    process.stdout.write("held\n");
    await new Promise((resolve) => process.stdin.once("data", resolve));
    return datasync.call(this);
  };
  await write(1);
  process.stdin.destroy();
} else {
  for (let number = 0; number < Number(count); number += 1) await write(number);
}
await memory.close();
