import * as Aria from 'react-aria-components/Table';
import { Explained } from './explained.tsx';
import type { Metric } from './metrics.tsx';
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
      <Aria.Table aria-label={label} className="numbers">
        <Aria.TableHeader>
          {columns.map((column) => (
            <Aria.Column
              key={column.label}
              id={column.label}
              className={column.isText ? 'words' : ''}
              isRowHeader={column === rowHeader}
            >
              <Explained label={column.label}>{column.label}</Explained>
            </Aria.Column>
          ))}
        </Aria.TableHeader>
        <Aria.TableBody items={rows} dependencies={[columns, classOf]}>
          {(row) => (
            <Aria.Row id={keyOf(row)} className={classOf?.(row) ?? ''}>
              {columns.map((column) => (
                <Aria.Cell
                  key={column.label}
                  className={`${column.isText ? 'words' : ''} ${column.classOf?.(row) ?? ''}`}
                >
                  <Explained label={column.label} isAlarming={column.isAlarming?.(row)}>
                    {column.of(row)}
                  </Explained>
                </Aria.Cell>
              ))}
            </Aria.Row>
          )}
        </Aria.TableBody>
        {totals.length > 0 && (
          <Aria.TableFooter>
            {totals.map((total, index) => (
              <Aria.Row key={Object.values(total)[0]} id={`total ${index}`}>
                {columns.map(({ label }) => (
                  <Aria.Cell key={label}>{total[label]}</Aria.Cell>
                ))}
              </Aria.Row>
            ))}
          </Aria.TableFooter>
        )}
      </Aria.Table>
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
