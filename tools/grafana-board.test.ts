import { expect, it } from 'vitest';
import { z } from 'zod';
import { BOARD_ROWS, declarations, kindOf } from '#shared/metric-declarations.ts';
import { grafanaBoard } from './grafana-board.ts';

const Board = z.object({
  panels: z.array(
    z.object({
      title: z.string(),
      description: z.string().optional(),
      targets: z.array(z.object({ expr: z.string() })).optional(),
    }),
  ),
});

it('has a panel with its help for each declared metric, in rows', () => {
  const { panels } = Board.parse(JSON.parse(grafanaBoard()));
  const rows = panels.filter(({ targets }) => targets === undefined).map(({ title }) => title);
  expect(rows).toEqual(BOARD_ROWS);
  for (const [name, { help, board }] of declarations()) {
    const panel = panels.find(({ title }) => title === board.title);
    expect(panel, name).toMatchObject({ description: help });
    const series = kindOf(name) === 'histogram' ? `${name}_bucket{` : `${name}{`;
    for (const { expr } of panel?.targets ?? []) expect(expr).toContain(series);
    expect(panel?.targets?.length, name).toBeGreaterThan(0);
  }
});
