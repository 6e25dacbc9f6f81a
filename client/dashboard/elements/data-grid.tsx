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

/** A column of a grid. */
export interface Column<T> extends Metric<T> {
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
export function DataGrid<T extends object>({
  label,
  columns,
  rows,
  keyOf,
  totals = [],
  empty,
  classOf,
  ...wrapper
}: {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  totals?: readonly Record<string, ReactNode>[];
  /** Rendered instead of a grid without rows. */
  empty?: string;
  classOf?: (row: T) => string;
} & Pick<ComponentProps<'div'>, 'onPointerEnter' | 'onPointerLeave' | 'onFocus' | 'onBlur'>) {
  if (empty !== undefined && rows.length === 0) return <p>{empty}</p>;
  const headed = columns.findIndex(({ isRowHeader }) => isRowHeader);
  return (
    <div className="scroll" {...wrapper}>
      <Table aria-label={label} className="numbers">
        <TableHeader>
          {columns.map((column, index) => (
            <Heading
              key={column.label}
              id={column.label}
              className={column.isText ? 'words' : ''}
              isRowHeader={index === Math.max(0, headed)}
            >
              <Explained label={column.label}>{column.label}</Explained>
            </Heading>
          ))}
        </TableHeader>
        <TableBody items={rows} dependencies={[columns, classOf]}>
          {(row) => (
            <Row id={keyOf(row)} className={classOf?.(row) ?? ''}>
              {columns.map((column) => (
                <Cell
                  key={column.label}
                  className={`${column.isText ? 'words' : ''} ${column.classOf?.(row) ?? ''}`}
                >
                  <Explained label={column.label} isAlarming={column.isAlarming?.(row)}>
                    {column.of(row)}
                  </Explained>
                </Cell>
              ))}
            </Row>
          )}
        </TableBody>
        {totals.length > 0 && (
          <TableFooter>
            {totals.map((total) => (
              <Row key={String(total['key'])} id={`total ${String(total['key'])}`}>
                {columns.map((column) => (
                  <Cell key={column.label}>{total[column.label]}</Cell>
                ))}
              </Row>
            ))}
          </TableFooter>
        )}
      </Table>
    </div>
  );
}
