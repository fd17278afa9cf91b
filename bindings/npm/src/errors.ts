/** Why something did not happen. `code` is stable; `message` says what came and what is allowed, `nextStep` what to do. */
export class EbbtraceError extends Error {
  override readonly name = "EbbtraceError";
  /** A stable code for programs, the same on every surface: `blank`, `not_found`, `stale`, `store_full` ... */
  readonly code: string;
  /** The argument at fault; empty where there is none. */
  readonly field: string;
  /** What the caller can do now. */
  readonly nextStep: string;

  constructor(code: string, message: string, nextStep: string, field = "", cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.field = field;
    this.nextStep = nextStep;
  }
}

const STORE_STEPS: Record<string, string> = {
  store_blocked: "Close the other tabs of this page, or reload them, and open the memory again.",
  store_busy: "Call again in a moment.",
  store_damaged: "Nothing was changed. Name the right store, or restore a copy.",
  store_full: "Nothing was written, and what was stored before is safe. Free some space, and call again.",
  store_io: "Nothing was written. Check the disk's space and permissions, and call again.",
  store_newer: "Nothing was changed. Update ebbtrace to the version that wrote the store.",
  store_open: "Check that storage is allowed here, and the path and its permissions.",
  closed: "Open the memory again: this one was closed.",
};

/** A failure of a store. A failure is never taken for an empty or a broken store, and nothing is wiped or renamed. */
export function storeError(code: keyof typeof STORE_STEPS & string, message: string, cause?: unknown): EbbtraceError {
  return new EbbtraceError(code, message, STORE_STEPS[code] ?? "Call again.", "", cause);
}

/** The store's answer was lost inside a commit. */
export function unknownOutcome(): EbbtraceError {
  const message = "the store's answer was lost: the change may or may not have been written";
  return new EbbtraceError("unknown_outcome", message, "Recall what you stored to see whether it is there, and call again if not.");
}

/** What the engine threw, as an error of ours. */
export function fromEngine(thrown: unknown): EbbtraceError {
  if (thrown instanceof EbbtraceError) return thrown;
  const told = thrown as { code?: unknown; field?: unknown; nextStep?: unknown; message?: unknown } | null;
  if (typeof told?.code === "string") {
    return new EbbtraceError(told.code, String(told.message), String(told.nextStep ?? ""), String(told.field ?? ""), thrown);
  }
  // A trap of the module: out of memory, or a fault of the engine's own.
  const what = String(told?.message ?? thrown);
  return new EbbtraceError("internal", what, "Nothing was stored. Open the memory anew, and report this.", "", thrown);
}
