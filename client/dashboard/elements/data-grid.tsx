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

interface GridProps<T> {
  label: string;
  columns: readonly Column<T>[];
  /** Undefined while they are being loaded. */
  rows: readonly T[] | undefined;
  keyOf: (row: T) => string;
  /** Stand below the rows: values by the label of their column. */
  totals?: readonly Readonly<Record<string, string>>[];
  /** Rendered instead of a grid without rows. */
  empty?: string;
  classOf?: (row: T) => string;
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

interface GridPanelProps<T>
  extends Pick<PanelProps, 'title' | 'section' | 'headingRef' | 'children'>,
    Omit<GridProps<T>, 'label'> {
  label?: string;
  error?: Error | null;
}

/** Renders a panel with a grid below what else is in it. The grid is named as the panel is, unless it has a label. */
export function GridPanel<T extends object>(props: GridPanelProps<T>) {
  const { title, section = title, headingRef, children, error, label = title, ...grid } = props;
  return (
    <Panel title={title} section={section} headingRef={headingRef}>
      {children}
      {error && <p className="bad">{error.message}</p>}
      <DataGrid {...grid} label={label} />
    </Panel>
  );
}
