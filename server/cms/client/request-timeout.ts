/** The timeout of one call. `signal` aborts when it is over or the caller aborts; call `stop` when the call has ended. */
export interface RequestTimeout {
  signal: AbortSignal;
  stop: () => void;
}

/** Starts a timeout of `ms` milliseconds, which also ends when `caller` aborts. */
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
