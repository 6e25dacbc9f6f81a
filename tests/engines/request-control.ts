import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** What becomes of the requests for paths that match a pattern: no driver of WebKit's can say so in the browser. */
export interface RequestControl {
  /** Keeps requests without a response until the returned function is called. */
  hold(pattern: RegExp): () => void;
  /** Ends the connections of requests, as a network that fails, until the returned function is called. */
  refuse(pattern: RegExp): () => void;
  /** Paths of all requests so far. */
  readonly paths: string[];
  /** Paths of the requests that the browser gave up. */
  readonly cancelled: string[];
  /** Lets everything through and leaves the server as it was. */
  end(): void;
}

/** Takes control of the requests to a server that is listening. */
export function controlRequests(server: Server): RequestControl {
  const listeners = server.listeners('request');
  const paths: string[] = [];
  const cancelled: string[] = [];
  const held = new Map<RegExp, (() => void)[]>();
  const refused = new Set<RegExp>();

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    paths.push(path);
    if ([...refused].some((pattern) => pattern.test(path))) {
      request.socket.destroy();
      return;
    }
    response.once('close', () => {
      if (!response.writableFinished) cancelled.push(path);
    });
    const pass = () => {
      if (!response.closed) for (const listener of listeners) listener.call(server, request, response);
    };
    const waiting = [...held].find(([pattern]) => pattern.test(path))?.[1];
    if (waiting) waiting.push(pass);
    else pass();
  }

  function release(pattern: RegExp): void {
    const waiting = held.get(pattern) ?? [];
    held.delete(pattern);
    for (const pass of waiting) pass();
  }

  server.removeAllListeners('request');
  server.on('request', receive);
  return {
    paths,
    cancelled,
    hold(pattern) {
      held.set(pattern, []);
      return () => release(pattern);
    },
    refuse(pattern) {
      refused.add(pattern);
      return () => refused.delete(pattern);
    },
    end() {
      for (const pattern of [...held.keys()]) release(pattern);
      server.off('request', receive);
      for (const listener of listeners) server.on('request', (...event) => listener.call(server, ...event));
    },
  };
}
