/** Matches what no response may reveal: stack traces, error codes, file paths and internal addresses. */
export const INTERNAL_DETAILS =
  /node:internal|\bat .+\.ts:\d+|Error:|ECONN|sqlite|node_modules|127\.0\.0\.1:\d+\/api/i;
