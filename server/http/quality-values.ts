/** Longer headers are cut: nothing that browsers send comes near it. */
const MAX_LENGTH = 1_000;

/**
 * Returns the weights of a header such as `Accept` or `Accept-Encoding` by its values in lower case, 0 to 1 (RFC 9110,
 * 12.4.2); 0 for a weight that is not a number.
 */
export function qualityValues(header: string): Map<string, number> {
  return new Map(
    header
      .slice(0, MAX_LENGTH)
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [value = '', ...parameters] = part.split(';').map((piece) => piece.trim());
        const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
        return [value, weight === undefined ? 1 : Math.min(Number(weight) || 0, 1)];
      }),
  );
}
