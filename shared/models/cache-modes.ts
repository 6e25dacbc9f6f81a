export const MODES = ['normal', 'freeze', 'bypass'] as const;

/** `freeze`: nothing is loaded, cached values are served at any age. `bypass`: every read asks the upstream. */
export type ModeName = (typeof MODES)[number];
