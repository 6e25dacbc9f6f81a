import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';
import { useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import './pagination.css';

interface PaginationProps {
  pagination: { page: number; totalPages: number };
  /** Returns the page numbers to show. */
  window: (page: number, totalPages: number) => readonly number[];
  hrefOf: (page: number) => string;
}

/** Renders Previous, page numbers and Next as links, which scroll to the top of the next page smoothly. */
export function Pagination({ pagination: { page, totalPages }, window, hrefOf }: PaginationProps) {
  const t = useTexts();
  useSmoothTop(page);
  if (totalPages < 1) return null;
  return (
    <nav className="pagination" aria-label={t(en.pagination)}>
      <Step to={page > 1 ? hrefOf(Math.min(page - 1, totalPages)) : null} rel="prev">
        {t(en.previous)}
      </Step>
      <ol>
        {window(page, totalPages).map((number) => (
          <li key={number}>
            <a
              href={hrefOf(number)}
              data-keep-scroll
              aria-current={number === page ? 'page' : undefined}
              aria-label={t(en.pageNumber, { number })}
            >
              {number}
            </a>
          </li>
        ))}
      </ol>
      <Step to={page < totalPages ? hrefOf(page + 1) : null} rel="next">
        {t(en.next)}
      </Step>
    </nav>
  );
}

/** Renders a link; where it leads nowhere a disabled one, which is `role="link"` for a screen reader too. */
function Step({ to, rel, children }: { to: string | null; rel: string; children: ReactNode }) {
  return (
    <a
      {...(to === null
        ? { role: 'link', 'aria-disabled': true }
        : { href: to, rel, 'data-keep-scroll': true })}
    >
      {children}
    </a>
  );
}

/**
 * Scrolls to the top when a list shows another page (specification, section 2), at once under reduced motion. Back and
 * Forward keep the position that the browser restores.
 */
function useSmoothTop(page: number): void {
  const rendered = useRef(page);
  const navigationType = useNavigationType();
  useLayoutEffect(() => {
    if (rendered.current === page) return;
    rendered.current = page;
    if (navigationType === 'POP') return;
    const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    window.scrollTo({ top: 0, behavior: reducedMotion ? 'instant' : 'smooth' });
  }, [page, navigationType]);
}

/** Most page numbers shown (specification, section 9). */
const MAX_PAGE_NUMBERS = 5;

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** Returns the page numbers of a topic: the current one in the middle where possible (page 10 of 10: 6 7 8 9 10). */
export function centredWindow(page: number, totalPages: number): number[] {
  const first = Math.max(1, Math.min(page - 2, totalPages - MAX_PAGE_NUMBERS + 1));
  return range(first, Math.min(totalPages, first + MAX_PAGE_NUMBERS - 1));
}

/** Returns the page numbers of a search: from page minus 2, not shifted back at the end (page 10 of 10: 8 9 10). */
export function leadingWindow(page: number, totalPages: number): number[] {
  const first = Math.min(Math.max(1, page - 2), Math.max(1, totalPages));
  return range(first, Math.min(totalPages, first + MAX_PAGE_NUMBERS - 1));
}
