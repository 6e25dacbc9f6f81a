/**
 * `freeze`: nothing is loaded, what is cached is served whatever its age. `bypass`: every read asks the upstream; a
 * copy stands in where that fails.
 */
export type ModeName = 'normal' | 'freeze' | 'bypass';

/** An emergency switch as it stands. */
export interface Mode {
  name: ModeName;
  /** Multiplies every ttl. */
  ttlFactor: number;
  /** Monotonic milliseconds; infinite while the cache is as usual. */
  endsAt: number;
}

/** What an operator asks for. */
export interface ModeChange {
  name: ModeName;
  ttlFactor?: number;
  forSeconds?: number;
}

/** A switch nobody remembers to turn back ends after ten minutes. */
export const DEFAULT_MODE_SECONDS = 600;

const USUAL: Mode = { name: 'normal', ttlFactor: 1, endsAt: Number.POSITIVE_INFINITY };

/** The emergency switches. Each ends by itself. `clock`: monotonic milliseconds. `onChange` hears of each `set`. */
export function createModeSwitch(clock: () => number, onChange: () => void) {
  let mode = USUAL;
  return {
    /** The mode in force. */
    current(): Mode {
      if (mode !== USUAL && clock() >= mode.endsAt) mode = USUAL;
      return mode;
    },
    /** Turns a mode on, or everything back to usual with `normal` and no factor. */
    set({ name, ttlFactor = 1, forSeconds = DEFAULT_MODE_SECONDS }: ModeChange): Mode {
      const usual = name === 'normal' && ttlFactor === 1;
      mode = usual ? USUAL : { name, ttlFactor, endsAt: clock() + forSeconds * 1000 };
      onChange();
      return mode;
    },
  };
}

export type ModeSwitch = ReturnType<typeof createModeSwitch>;
