import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/dashboard.css';
import { Dashboard } from './dashboard.tsx';

/** The operators' page. It is drawn in the browser alone: its readers are few, and its figures change each second. */
const root = document.getElementById('cockpit');
if (!root) throw new Error('the document has no place for the cockpit');
createRoot(root).render(
  <StrictMode>
    <Dashboard />
  </StrictMode>,
);
