const COLUMNS = ['received_at', 'kind', 'first_name', 'last_name', 'email', 'phone', 'message', 'opt_in'];

/** Yields the lines of a CSV file (RFC 4180) of what readers have sent. */
export function* csvLines(submissions: Iterable<Record<string, unknown>>): Generator<string> {
  yield csvLine(COLUMNS);
  for (const submission of submissions)
    yield csvLine(COLUMNS.map((column) => String(submission[column] ?? '')));
}

/** Returns one line. Spreadsheets run cells that begin as formulas do: those get an apostrophe first. */
export function csvLine(cells: readonly string[]): string {
  const harmless = cells.map((cell) => (/^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell));
  return `${harmless.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}
