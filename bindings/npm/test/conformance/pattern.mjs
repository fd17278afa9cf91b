// What a case expects of a value: see tests/conformance/README.md, section 'Matching'.

/** Where `actual` does not match `pattern`, and why; undefined where it does. */
export function mismatch(pattern, actual, path = "") {
  const differs = () => `${path || "/"}: expected ${JSON.stringify(pattern)}, found ${JSON.stringify(actual)}`;
  if (Array.isArray(pattern)) {
    if (!Array.isArray(actual) || actual.length !== pattern.length) return differs();
    return first(pattern, (wanted, index) => mismatch(wanted, actual[index], `${path}/${index}`));
  }
  if (typeof pattern === "object" && pattern !== null) {
    const keys = Object.keys(pattern);
    if (keys.some((key) => key.startsWith("$"))) return keys.every((key) => fits(pattern, key, actual, path)) ? undefined : differs();
    if (typeof actual !== "object" || actual === null || Array.isArray(actual)) return differs();
    return first(keys, (key) => mismatch(pattern[key], actual[key] ?? null, `${path}/${key}`));
  }
  return pattern === actual ? undefined : differs();
}

function fits(pattern, key, actual, path) {
  const wanted = pattern[key];
  const list = Array.isArray(actual) ? actual : undefined;
  switch (key) {
    case "$about":
      return typeof actual === "number" && Math.abs(wanted - actual) <= (pattern.$within ?? 1e-9);
    case "$within":
      return "$about" in pattern;
    case "$between":
      return typeof actual === "number" && wanted[0] <= actual && actual <= wanted[1];
    case "$count":
      return list?.length === wanted;
    case "$some":
      return wanted.every((some) => (list ?? []).some((found) => mismatch(some, found, path) === undefined));
    case "$none":
      return list !== undefined && list.every((found) => mismatch(wanted, found, path) !== undefined);
    case "$contains":
      return typeof actual === "string" && actual.includes(wanted);
    case "$not":
      return mismatch(wanted, actual, path) !== undefined;
    default:
      return false;
  }
}

function first(values, find) {
  for (const [index, value] of values.entries()) {
    const found = find(value, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A value with every `$repeat` and `$list` in it written out. */
export function expand(value) {
  if (Array.isArray(value)) return value.map(expand);
  if (typeof value !== "object" || value === null) return value;
  if (value.$repeat) return value.$repeat[0].repeat(value.$repeat[1]);
  if (value.$list) return Array.from({ length: value.$list[1] }, () => expand(value.$list[0]));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, expand(each)]));
}
