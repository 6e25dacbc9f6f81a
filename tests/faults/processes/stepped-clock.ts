/** Preloaded into a server: SIGWINCH sets its wall clock a day ahead, the next one a day back. */
const DAY_MS = 86_400_000;
const STEPS = [DAY_MS, -DAY_MS];
const trueNow = Date.now;
let step = 0;

class SteppedDate extends Date {
  constructor(...given: ConstructorParameters<typeof Date> | []) {
    if (given.length === 0) super(SteppedDate.now());
    else super(...given);
  }
  static override now(): number {
    return trueNow() + step;
  }
}

Object.assign(globalThis, { Date: SteppedDate });
process.on('SIGWINCH', () => {
  step = STEPS.shift() ?? 0;
});
