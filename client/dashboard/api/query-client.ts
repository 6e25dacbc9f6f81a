import { QueryClient } from '@tanstack/react-query';

/** The cache of the listener's responses. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // The listener may be on this machine: it can be reached while the browser is offline.
    queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false },
    mutations: { networkMode: 'always' },
  },
});

/** The mark of a query that never ends, in its `meta`. */
export const ENDLESS = { isEndless: true };

/** Loads again what is shown: something has changed, or the server was restarted. */
export function reloadResponses(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: ({ meta }) => meta !== ENDLESS });
}
