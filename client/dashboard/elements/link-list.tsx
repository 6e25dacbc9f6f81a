import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** Renders a navigation among the addresses of one view. `current`: the one that is shown. */
export function LinkList({
  label,
  className,
  links,
  current,
}: {
  label: string;
  className: string;
  links: readonly { to: string; text: ReactNode }[];
  current: string;
}) {
  return (
    <nav aria-label={label} className={className}>
      <ul>
        {links.map(({ to, text }) => (
          <li key={to}>
            <Link to={to} aria-current={to === current ? 'true' : undefined}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
