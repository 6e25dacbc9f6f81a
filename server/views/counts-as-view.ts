export function countsAsView(_: unknown): boolean {
  return true;
}
