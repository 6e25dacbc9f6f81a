import { circle, line, path, polygon, stroke, times } from './drawing.ts';
import { INK, mix, PAPER } from './palette.ts';
import type { Features } from './portrait-features.ts';

const SHOULDERS =
  'M66,620C70,520 110,486 190,464C226,454 246,450 250,438C268,472 332,472 350,438C354,450 374,454 410,464C490,486 530,520 534,620Z';

/** Shoulders and what they wear, in a 600 square; the neck, about x 300, is drawn before it. */
export function drawClothes({ clothes, cloth, under, skin }: Features): string {
  const dark = mix(cloth, INK, 0.34);
  const body =
    path(SHOULDERS, { fill: cloth }) +
    path('M410,464C490,486 530,520 534,620H496C498,560 470,500 410,464Z', { fill: dark, opacity: 0.5 });
  const opening = (colour: string): string =>
    path('M246,440C252,446 276,512 300,548C324,512 348,446 354,440Z', { fill: colour });

  switch (clothes) {
    case 'crew':
      return (
        body +
        path(
          'M240,446C262,494 338,494 360,446C352,440 346,434 344,428C336,470 264,470 256,428C254,434 248,440 240,446Z',
          { fill: dark },
        ) +
        folds(dark)
      );
    case 'turtleneck':
      return (
        body +
        path('M246,396C276,410 324,410 354,396L362,458C340,482 260,482 238,458Z', {
          fill: mix(cloth, PAPER, 0.08),
        }) +
        path('M244,420C276,436 324,436 356,420', stroke(dark, 2.4)) +
        path('M240,456C270,478 330,478 360,456', stroke(mix(cloth, PAPER, 0.28), 2.2)) +
        folds(mix(cloth, PAPER, 0.22))
      );
    case 'blouse':
      return (
        body +
        path(
          'M240,444C254,476 280,524 300,536C320,524 346,476 360,444L350,436C342,470 318,500 300,508C282,500 258,470 250,436Z',
          { fill: mix(cloth, PAPER, 0.3) },
        ) +
        path('M252,436C262,470 282,498 300,506C318,498 338,470 348,436Z', { fill: skin }) +
        necklace() +
        folds(dark)
      );
    case 'scarf':
      return (
        body +
        path(
          'M226,428C250,462 350,462 374,428C396,446 396,482 372,496C336,514 262,514 228,496C204,482 206,446 226,428Z',
          { fill: under },
        ) +
        path('M330,486L404,600L346,612L296,500Z', { fill: mix(under, INK, 0.2) }) +
        path('M232,452C262,484 340,484 370,450', stroke(mix(under, INK, 0.3), 2.6)) +
        path('M226,470C264,502 338,500 376,468', stroke(mix(under, PAPER, 0.35), 2.2))
      );
    case 'shirt':
      return (
        body +
        path('M258,432L300,494L342,432Z', { fill: skin }) +
        collar(under) +
        line([300, 498], [300, 620], stroke(dark, 2.4)) +
        times(3, (index) => circle([308, 528 + index * 34], 3.4, { fill: mix(cloth, PAPER, 0.6) })).join('')
      );
    case 'tie':
      return (
        body +
        path('M236,444L300,600L364,444L344,430H256Z', { fill: under }) +
        polygon(
          [
            [286, 474],
            [314, 474],
            [322, 604],
            [300, 640],
            [278, 604],
          ],
          { fill: '#a83a22' },
        ) +
        polygon(
          [
            [282, 456],
            [318, 456],
            [312, 482],
            [288, 482],
          ],
          { fill: '#8c2f1b' },
        ) +
        collar(under) +
        lapels(cloth, dark)
      );
    case 'blazer':
      return (
        body +
        opening(under) +
        path('M256,430C262,462 284,484 300,488C316,484 338,462 344,430Z', { fill: skin }) +
        lapels(cloth, dark)
      );
  }
}

function lapels(cloth: string, dark: string): string {
  const light = mix(cloth, PAPER, 0.12);
  return (
    path('M248,436L214,460L206,506L236,512L222,530L298,624L300,560C280,524 258,478 248,436Z', {
      fill: light,
    }) +
    path('M352,436L386,460L394,506L364,512L378,530L302,624L300,560C320,524 342,478 352,436Z', { fill: dark })
  );
}

function collar(colour: string): string {
  return (
    path('M256,426L238,446L266,506L300,492Z', { fill: mix(colour, PAPER, 0.2) }) +
    path('M344,426L362,446L334,506L300,492Z', { fill: mix(colour, INK, 0.14) })
  );
}

function necklace(): string {
  return (
    path('M262,448C274,486 326,486 338,448', stroke('#e0b45c', 2.4)) +
    circle([300, 478], 5, { fill: '#e0b45c' })
  );
}

function folds(colour: string): string {
  return (
    path('M168,620C168,586 160,560 148,544', stroke(colour, 3, 0.6)) +
    path('M432,620C432,586 440,560 452,544', stroke(colour, 3, 0.6))
  );
}
