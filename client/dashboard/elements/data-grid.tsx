import type { ComponentProps, ReactNode } from 'react';
import {
  Cell,
  Column as Heading,
  Row,
  Table,
  TableBody,
  TableFooter,
  TableHeader,
} from 'react-aria-components/Table';
import { Explained } from './explained.tsx';
import type { Metric } from './metric.ts';

/** A column of a grid. A cell whose column has an explanation is explained too. */
export interface Column<T> extends Metric<T> {
  /** Identifies the column where several have the same label. */
  id?: string;
  /** Text, which may wrap. */
  isText?: boolean;
  /** Names its row to a screen reader; else the first column does. */
  isRowHeader?: boolean;
  classOf?: (row: T) => string;
}

/**
 * Renders a table that is one tab stop: arrow keys move from cell to cell (ARIA APG grid). `totals` stand below the rows, by
 * the label of the column.
 */
export function DataGrid<T>({
  label,
  columns,
  rows,
  keyOf,
  totals = [],
  classOf,
  ...wrapper
}: {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  totals?: readonly Record<string, ReactNode>[];
  classOf?: (row: T) => string;
} & Pick<ComponentProps<'div'>, 'onPointerEnter' | 'onPointerLeave' | 'onFocus' | 'onBlur'>) {
  const headed = columns.findIndex(({ isRowHeader }) => isRowHeader);
  const idOf = ({ id, label: heading }: Column<T>) => id ?? heading;
  return (
    <div className="scroll" {...wrapper}>
      <Table aria-label={label} className="numbers">
        <TableHeader>
          {columns.map((column, index) => (
            <Heading
              key={idOf(column)}
              id={idOf(column)}
              className={column.isText ? 'words' : ''}
              isRowHeader={index === Math.max(0, headed)}
            >
              {explained(column, column.label)}
            </Heading>
          ))}
        </TableHeader>
        <TableBody>
          {rows.map((row) => (
            <Row key={keyOf(row)} id={keyOf(row)} className={classOf?.(row) ?? ''}>
              {columns.map((column) => (
                <Cell
                  key={idOf(column)}
                  className={`${column.isText ? 'words' : ''} ${column.classOf?.(row) ?? ''}`}
                >
                  {explained(column, column.of(row), column.isAlarming?.(row))}
                </Cell>
              ))}
            </Row>
          ))}
        </TableBody>
        {totals.length > 0 && (
          <TableFooter>
            {totals.map((total) => (
              <Row key={String(total['key'])} id={`total ${String(total['key'])}`}>
                {columns.map((column) => (
                  <Cell key={idOf(column)}>{total[idOf(column)]}</Cell>
                ))}
              </Row>
            ))}
          </TableFooter>
        )}
      </Table>
    </div>
  );
}

function explained<T>({ about, metric }: Column<T>, children: ReactNode, isAlarming = false): ReactNode {
  if (about === undefined) return children;
  return (
    <Explained about={about} metric={metric} isAlarming={isAlarming}>
      {children}
    </Explained>
  );
}
