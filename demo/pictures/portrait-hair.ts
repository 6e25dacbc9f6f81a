import { circle, path, polar, stroke, times } from './drawing.ts';
import { mix } from './palette.ts';
import type { Features } from './portrait-features.ts';

const LIGHT = '#fff3e0';

interface HairDrawing {
  /** What hangs behind the head. */
  behind: string;
  /** What lies over the forehead and the temples. */
  before: string;
}

/** The hair of a head that stands in a 600 square: middle at x 300, crown at y 140, chin at y 374. */
export function drawHair({ style, hair, face }: Features): HairDrawing {
  const [left, right] = [300 - face, 300 + face];
  const fill = { fill: hair };
  const deep = { fill: mix(hair, '#120d0c', 0.3) };
  const gleam = stroke(mix(hair, LIGHT, 0.32), 3.2, 0.55);
  const strand = (d: string): string => path(d, { ...gleam, 'stroke-linecap': 'round' });

  switch (style) {
    case 'crop':
      return {
        behind: path(
          `M${left - 3},262C${left - 10},170 ${left + 20},128 300,126C${right - 20},128 ${right + 10},170 ${right + 3},262Z`,
          fill,
        ),
        before: path(
          `M${left - 3},258C${left - 9},168 ${left + 22},126 300,125C${right - 22},126 ${right + 9},168 ${right + 3},258L${right - 4},226C${right - 10},190 ${right - 34},178 300,178C${left + 34},178 ${left + 10},190 ${left + 4},226Z`,
          fill,
        ),
      };
    case 'side-part':
      return {
        behind: path(
          `M${left - 4},268C${left - 16},160 ${left + 26},118 304,116C${right - 8},116 ${right + 18},168 ${right + 4},268Z`,
          deep,
        ),
        before:
          path(
            `M${left - 5},262C${left - 20},178 ${left + 8},112 296,108C${right - 16},104 ${right + 24},160 ${right + 5},262C${right + 2},232 ${right - 6},212 ${right - 22},196C330,204 282,196 262,166C254,194 ${left + 14},206 ${left + 8},226Z`,
            fill,
          ) +
          strand('M268,160C290,138 330,134 354,152') +
          strand('M280,176C306,158 338,158 360,176'),
      };
    case 'bob':
      return {
        behind: path(
          `M${left - 26},356C${left - 44},230 ${left - 26},110 300,108C${right + 26},110 ${right + 44},230 ${right + 26},356C${right + 4},372 ${right - 20},366 ${right - 24},346L${left + 24},346C${left + 20},366 ${left - 4},372 ${left - 26},356Z`,
          deep,
        ),
        before:
          path(
            `M${left - 26},354C${left - 44},228 ${left - 26},108 300,106C${right + 26},108 ${right + 44},228 ${right + 26},354C${right + 10},364 ${right - 6},356 ${right - 8},340C${right + 4},280 ${right - 2},214 334,168C306,208 ${left + 40},214 ${left + 10},232C${left - 2},270 ${left - 2},310 ${left + 8},340C${left + 6},356 ${left - 10},364 ${left - 26},354Z`,
            fill,
          ) +
          strand(`M326,146C${right - 10},176 ${right + 12},236 ${right + 9},310`) +
          strand(`M300,140C${left + 30},150 ${left - 4},196 ${left - 12},262`),
      };
    case 'long':
      return {
        behind: path(
          `M${left - 30},480C${left - 22},400 ${left - 46},330 ${left - 24},220C${left - 10},134 262,108 300,108C338,108 ${right + 10},134 ${right + 24},220C${right + 46},330 ${right + 22},400 ${right + 38},480C${right - 20},510 ${left + 20},510 ${left - 30},480Z`,
          deep,
        ),
        before:
          path(
            `M${left - 24},420C${left - 40},330 ${left - 36},120 298,104C${right + 36},112 ${right + 44},330 ${right + 26},440C${right + 8},400 ${right + 2},360 ${right + 1},300C${right + 2},236 ${right - 26},190 278,152C258,190 ${left + 10},214 ${left + 2},270C${left},330 ${left - 8},380 ${left - 24},420Z`,
            fill,
          ) +
          strand(`M292,136C${right - 30},156 ${right + 8},206 ${right + 12},300`) +
          strand(`M262,142C${left + 8},172 ${left - 14},222 ${left - 14},300`),
      };
    case 'bun':
      return {
        behind:
          circle([300, 104], 46, fill) +
          circle([300, 104], 30, gleam) +
          path(
            `M${left - 6},280C${left - 16},166 ${left + 22},122 300,120C${right - 22},122 ${right + 16},166 ${right + 6},280Z`,
            deep,
          ),
        before:
          path(
            `M${left - 6},274C${left - 18},164 ${left + 20},118 300,116C${right - 20},118 ${right + 18},164 ${right + 6},274C${right + 2},240 ${right - 8},214 ${right - 20},202C${right - 50},200 340,186 330,170C300,206 ${left + 30},206 ${left + 16},210C${left + 6},226 ${left - 2},244 ${left - 6},274Z`,
            fill,
          ) +
          strand('M318,134C296,160 268,174 242,178') +
          strand('M340,140C352,160 362,172 370,184'),
      };
    case 'curls': {
      const ring = times(17, (index) =>
        circle(
          polar([300, 226], 112 - Math.abs(index - 8) * 0.8, 158 + index * 14),
          35 + (index % 3) * 5,
          fill,
        ),
      );
      const inner = times(9, (index) =>
        circle(polar([300, 242], 84, 204 + index * 16.5), 21 + (index % 2) * 5, fill),
      );
      const gleams = times(8, (index) =>
        path(
          `M${(222 + index * 21).toFixed(0)},${(156 - Math.sin((index / 7) * 3.14) * 34).toFixed(0)}q9,-13 20,-3`,
          { ...gleam, 'stroke-linecap': 'round' },
        ),
      );
      return {
        behind: circle([300, 214], 118, deep) + ring.join(''),
        before: inner.join('') + gleams.join(''),
      };
    }
    case 'waves':
      return {
        behind: path(
          `M${left - 14},318C${left - 34},250 ${left - 24},120 300,112C${right + 24},120 ${right + 34},250 ${right + 14},318Z`,
          deep,
        ),
        before:
          path(
            `M${left - 12},304C${left - 34},262 ${left - 24},228 ${left - 16},206C${left - 22},160 ${left + 14},112 262,116C284,92 336,98 352,116C${right + 6},112 ${right + 28},168 ${right + 16},204C${right + 28},236 ${right + 30},270 ${right + 12},304C${right + 8},262 ${right + 4},232 ${right - 10},212C${right - 26},212 346,200 336,184C322,200 292,202 276,186C266,204 ${left + 26},208 ${left + 12},216C${left - 2},236 ${left - 4},268 ${left - 12},304Z`,
            fill,
          ) +
          strand('M262,148C276,132 296,130 310,142') +
          strand('M316,158C332,142 352,146 362,160') +
          strand('M238,172C244,158 256,152 266,154'),
      };
    case 'pixie':
      return {
        behind: path(
          `M${left - 8},300C${left - 26},180 ${left + 10},116 300,112C${right - 10},116 ${right + 26},180 ${right + 8},300Z`,
          deep,
        ),
        before:
          path(
            `M${left - 6},296C${left - 26},196 ${left - 4},114 306,108C${right + 6},110 ${right + 26},190 ${right + 6},296C${right + 4},262 ${right},238 ${right - 8},222C${right - 20},206 ${right - 30},196 ${right - 36},182C326,216 262,220 ${left + 12},214C${left + 2},240 ${left},262 ${left - 6},296Z`,
            fill,
          ) +
          strand(`M346,146C322,178 280,192 ${left + 26},192`) +
          strand('M326,132C304,156 274,166 246,166'),
      };
    case 'swept':
      return {
        behind: path(
          `M${left - 4},266C${left - 14},160 ${left + 26},120 300,118C${right - 22},120 ${right + 14},160 ${right + 4},266Z`,
          deep,
        ),
        before:
          path(
            `M${left - 4},258C${left - 16},200 ${left - 4},150 ${left + 26},136C${left + 30},112 272,98 308,106C340,92 ${right},116 ${right + 4},150C${right + 16},180 ${right + 10},226 ${right + 4},258C${right},230 ${right - 8},214 ${right - 16},200C${right - 30},208 352,206 340,190C330,206 306,208 292,192C278,210 256,208 246,196C${left + 18},208 ${left + 8},222 ${left + 4},236Z`,
            fill,
          ) +
          strand('M262,132C286,118 322,122 338,138') +
          strand('M250,160C270,144 290,142 304,152'),
      };
    case 'bald':
      return {
        behind: path(
          `M${left - 5},286C${left - 12},240 ${left - 6},220 ${left + 4},212L${right - 4},212C${right + 6},220 ${right + 12},240 ${right + 5},286Z`,
          fill,
        ),
        before: path('M262,168C276,154 296,150 312,152', stroke(LIGHT, 5, 0.22)),
      };
  }
}
