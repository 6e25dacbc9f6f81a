import { QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { createHashRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { createOpsApi } from './api/ops-api.ts';
import { createQueryClient } from './api/query-client.ts';
import { tokenStore } from './api/token-store.ts';
import { OpsContext, SignOutContext } from './ops-context.ts';
import { ROUTES } from './router.ts';
import { TokenForm } from './token-form.tsx';

const router = createHashRouter(ROUTES);

/** Renders the dashboard, or the token form once the listener has responded with 401 or the operator has signed out. */
export function Dashboard() {
  const [token, setToken] = useState(tokenStore.token);
  const [unauthorized, setUnauthorized] = useState(false);
  const forget = useCallback(() => {
    tokenStore.forget();
    setUnauthorized(true);
  }, []);
  // A token sees nothing that another one has loaded.
  const { ops, client } = useMemo(
    () => ({
      ops: createOpsApi({ fetch: (...call) => fetch(...call), token, onUnauthorized: forget }),
      client: createQueryClient(),
    }),
    [token, forget],
  );

  // The browser tests wait for it.
  useEffect(() => {
    document.documentElement.dataset['hydrated'] = '';
  }, []);

  function onToken(given: string): void {
    tokenStore.keep(given);
    setToken(given);
    setUnauthorized(false);
  }

  function signOut(): void {
    setToken(null);
    forget();
  }

  if (unauthorized) return <TokenForm rejected={token !== null} onToken={onToken} />;
  return (
    <OpsContext value={ops}>
      <SignOutContext value={token === null ? null : signOut}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </SignOutContext>
    </OpsContext>
  );
}
