/** The ranges of the plots, in minutes. The live points go back half an hour; longer ranges come thinned from the server. */
export const TIME_RANGES = [
  { minutes: 5, label: '5 min' },
  { minutes: 30, label: '30 min' },
  { minutes: 360, label: '6 h' },
  { minutes: 1_440, label: '24 h' },
] as const;

export const LIVE_MINUTES = 30;

/** Returns the range that a parameter names; half an hour for any other. */
export function rangeOf(param: string | undefined): (typeof TIME_RANGES)[number] {
  return TIME_RANGES.find(({ minutes }) => String(minutes) === param) ?? TIME_RANGES[1];
}
