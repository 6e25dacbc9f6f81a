const WIDTH = 60;
const HEIGHT = 16;

/** Draws ratios from 0 to 1, oldest first; null is a gap. The newest is at the right edge. */
export function Sparkline({ label, values }: { label: string; values: readonly (number | null)[] }) {
  const step = WIDTH / 30;
  const first = WIDTH - values.length * step;
  const path = values
    .map((value, index) => {
      if (value === null) return '';
      const [x, y] = [first + index * step, 1 + (1 - value) * (HEIGHT - 2)];
      const isFirst = (values[index - 1] ?? null) === null;
      return `${isFirst ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}h${step}`;
    })
    .join('');
  return (
    <svg className="sparkline" role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      <path d={path} />
    </svg>
  );
}
