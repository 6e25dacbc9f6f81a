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
import { Panel, type PanelProps } from './panel.tsx';

/** A column of a grid. */
export interface Column<T> extends Metric<T> {
  /** Text, which may wrap. */
  isText?: boolean;
  /** Names its row to a screen reader; else the first column does. */
  isRowHeader?: boolean;
  classOf?: (row: T) => string;
}

export interface Grid<T> {
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  /** Rendered instead of a grid without rows. */
  empty?: string;
  classOf?: (row: T) => string;
}

interface GridProps<T> extends Grid<T> {
  label: string;
  /** Undefined while they are being loaded. */
  rows: readonly T[] | undefined;
  /** Stand below the rows: values by the label of their column. */
  totals?: readonly Readonly<Record<string, string>>[];
}

/** Renders a table that is one tab stop: arrow keys move from cell to cell (ARIA APG grid). */
export function DataGrid<T extends object>(props: GridProps<T>) {
  const { label, columns, rows, keyOf, totals = [], empty, classOf } = props;
  if (!rows) return null;
  if (empty !== undefined && rows.length === 0) return <p>{empty}</p>;
  const rowHeader = columns.find(({ isRowHeader }) => isRowHeader) ?? columns[0];
  return (
    <div className="scroll">
      <Table aria-label={label} className="numbers">
        <TableHeader>
          {columns.map((column) => (
            <Heading
              key={column.label}
              id={column.label}
              className={column.isText ? 'words' : ''}
              isRowHeader={column === rowHeader}
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
            {totals.map((total, index) => (
              <Row key={Object.values(total)[0]} id={`total ${index}`}>
                {columns.map(({ label }) => (
                  <Cell key={label}>{total[label]}</Cell>
                ))}
              </Row>
            ))}
          </TableFooter>
        )}
      </Table>
    </div>
  );
}

/** Renders a panel that is one grid, with the panel's title. */
export function GridPanel<T extends object>({
  title,
  section = title,
  ...grid
}: Pick<PanelProps, 'title' | 'section'> & Omit<GridProps<T>, 'label'>) {
  return (
    <Panel title={title} section={section}>
      <DataGrid {...grid} label={title} />
    </Panel>
  );
}
