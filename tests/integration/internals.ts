/** What no response may tell: stacks, codes, paths and addresses of what is inside. */
export const INTERNALS =
  /node:internal|\bat .+\.ts:\d+|Error:|ECONN|sqlite|node_modules|127\.0\.0\.1:\d+\/api/i;
