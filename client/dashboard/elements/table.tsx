import type { ReactNode } from 'react';

/** A column of a table. `title`: what it means, with the name of its metric. */
export interface Column<Row> {
  label: string;
  title?: string;
  of: (row: Row) => ReactNode;
  classOf?: (row: Row) => string;
}

interface TableProps<Row> {
  caption?: ReactNode;
  /** Name of the region in which the table scrolls. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  isChosen?: (row: Row) => boolean;
  /** Stands where there are no rows. */
  empty?: string;
}

/** Renders rows; the first column heads each. In a narrow window each row is a block, with the label before each value. */
export function Table<Row>({ caption, label, columns, rows, keyOf, isChosen, empty }: TableProps<Row>) {
  const [heading, ...others] = columns;
  return (
    // A region that scrolls is reached by the keyboard (WCAG 2.1.1).
    <section className="scroll" aria-label={label} tabIndex={0}>
      <table className="numbers">
        {caption && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map(({ label, title }) => (
              <th key={label} scope="col" title={title}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={isChosen?.(row) ? 'chosen' : ''}>
              <th scope="row" className={heading?.classOf?.(row)}>
                {heading?.of(row)}
              </th>
              {others.map(({ label, of, classOf }) => (
                <td key={label} className={classOf?.(row)} data-label={label}>
                  {of(row)}
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && empty && (
            <tr>
              <td colSpan={columns.length} className="words">
                {empty}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

/** Says in its place that something could not be loaded; what is shown beside it is old. */
export function Failure({ error }: { error: Error | null }) {
  return error && <p className="bad">Not up to date: {error.message}</p>;
}
