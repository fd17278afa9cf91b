import { open } from "ebbtrace";
import { use } from "../use.js";

globalThis.result = await use(open);
