/** One call's time. `signal` ends when it is used up or the caller gives up; `stop` must be called when the call is over. */
export interface RequestTimeout {
  signal: AbortSignal;
  stop: () => void;
}

/** A deadline of `ms` milliseconds from now, or until `caller` gives up. */
export function startRequestTimeout(ms: number, caller?: AbortSignal): RequestTimeout {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  const timer = setTimeout(end, ms);
  caller?.addEventListener('abort', end, { once: true });
  if (caller?.aborted) end();
  return {
    signal: controller.signal,
    stop: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', end);
    },
  };
}
