import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { createHashRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import './styles/dashboard.css';
import { UnauthorizedError } from './api/ops-api.ts';
import { queryClient } from './api/query-client.ts';
import { useSession } from './api/session.ts';
import { ROUTES } from './routes.tsx';
import { TokenForm } from './token-form.tsx';

const router = createHashRouter(ROUTES);

/** Renders the dashboard, or the token form once the listener has responded with 401. */
function Dashboard() {
  const { error } = useSession();
  // The browser tests wait for it.
  useEffect(() => {
    document.documentElement.dataset['hydrated'] = '';
  }, []);
  return error instanceof UnauthorizedError ? <TokenForm /> : <RouterProvider router={router} />;
}

/** Rendered in the browser alone: it has few users, and its metrics change each second. */
const root = document.getElementById('dashboard');
if (!root) throw new Error('the document has no root element');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Dashboard />
    </QueryClientProvider>
  </StrictMode>,
);
