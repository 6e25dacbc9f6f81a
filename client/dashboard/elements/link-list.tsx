import { Link } from 'react-router';

interface LinkListProps {
  label: string;
  className: string;
  /** A `note` stands at the end of its line. */
  links: readonly { to: string; text: string | undefined; note?: string }[];
  /** The one that is shown. */
  current: string;
}

/** Renders a navigation among the addresses of one view. */
export function LinkList({ label, className, links, current }: LinkListProps) {
  return (
    <nav aria-label={label} className={className}>
      <ul>
        {links.map(({ to, text, note }) => (
          <li key={to}>
            <Link to={to} aria-current={to === current ? 'true' : undefined}>
              {text} {note && <span>{note}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
