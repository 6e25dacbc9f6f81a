/** Width and height of a browser's viewport in CSS pixels. */
export interface ViewportSize {
  width: number;
  height: number;
}

export interface BrowserSessionOptions {
  /** False: the browser runs no script of a page. */
  hasScripts: boolean;
  /** True: Firefox has its back-forward cache, after which `open` may wait in vain. The other engines always have theirs. */
  hasBackForwardCache: boolean;
}

/** Starts a browser. `profile`: its folder, which a browser that was started earlier may have used. */
export type StartBrowser = (options: BrowserSessionOptions, profile: string) => Promise<BrowserSession>;

/** Keys that `press` takes, by their names in UI Events. */
export type KeyName = 'ArrowRight' | 'Enter' | 'Escape';

/** One browser with one page, whatever its engine: what a protocol of browser automation has to offer. */
export interface BrowserSession {
  /** Loads a document and waits for its `load` event. */
  open(url: string): Promise<void>;
  resize(size: ViewportSize): Promise<void>;
  /** Returns the value of a JavaScript expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** Presses and releases the mouse at a point of the viewport, in CSS pixels. */
  clickAt(x: number, y: number): Promise<void>;
  /** Moves the mouse to a point of the viewport, in CSS pixels. */
  moveTo(x: number, y: number): Promise<void>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  press(key: KeyName): Promise<void>;
  /** Returns the viewport as PNG. */
  screenshot(): Promise<Buffer>;
  /** Errors, warnings and uncaught exceptions on the console, oldest first; what is taken out is gone. */
  readonly consoleMessages: string[];
  close(): Promise<void>;
}
