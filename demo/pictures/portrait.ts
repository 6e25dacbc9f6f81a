import {
  arc,
  circle,
  clipped,
  ellipse,
  group,
  line,
  type Point,
  path,
  rect,
  type Scene,
  stroke,
} from './drawing.ts';
import { INK, mix } from './palette.ts';
import { drawClothes } from './portrait-clothes.ts';
import { type Features, featuresOf } from './portrait-features.ts';
import { drawHair } from './portrait-hair.ts';
import type { Random } from './random.ts';

const SIZE = 600;

/** An author's drawn portrait, head and shoulders, 600 square. */
export function drawPortrait(key: string, random: Random): Scene {
  return { width: SIZE, height: SIZE, markup: portraitOf(featuresOf(key, random), random) };
}

function portraitOf(features: Features, random: Random): string {
  const hair = drawHair(features);
  const person = group(
    { transform: 'translate(300 620) scale(1.18) translate(-300 -606)' },
    lowered(hair.behind),
    neck(features),
    drawClothes(features),
    lowered(head(features), hair.before, glasses(features), earrings(features)),
  );
  return background(features, random) + person;
}

/** The head sits this far down on the neck. */
function lowered(...parts: readonly string[]): string {
  return group({ transform: 'translate(0 26)' }, ...parts);
}

function background({ ground, disc }: Features, random: Random): string {
  const side = random.pick([-1, 1]);
  const centre = [300 + side * random.between(50, 90), random.between(270, 310)] as const;
  const fine = stroke(mix(ground, INK, 0.55), 1.3, 0.6);
  const lean = random.between(20, 60) * side;
  return (
    rect(0, 0, SIZE, SIZE, { fill: ground }) +
    circle(centre, 208, { fill: disc }) +
    path(arc([centre[0] - side * 60, centre[1]], 268, 0, 359.9), fine) +
    line([centre[0] + lean, -10], [centre[0] - lean, 610], fine)
  );
}

function shadeOf(skin: string): string {
  return mix(skin, '#5a1f16', 0.24);
}

function neck({ skin }: Features): string {
  const column = 'M256,330V420C250,446 236,452 222,458C250,500 350,500 378,458C364,452 350,446 344,420V330Z';
  return (
    path(column, { fill: skin }) +
    clipped(
      'neck',
      path(column, {}),
      path('M240,356C268,424 330,426 372,350L372,470C350,440 330,424 296,418C268,412 250,396 240,370Z', {
        fill: shadeOf(skin),
        opacity: 0.85,
      }),
    )
  );
}

function headShape({ face, chin }: Features): string {
  const [left, right] = [300 - face, 300 + face];
  return (
    `M${left},246C${left},176 ${left + 26},142 300,142C${right - 26},142 ${right},176 ${right},246` +
    `C${right},300 ${right - 8},328 ${300 + chin + 20},352C${300 + chin + 4},368 ${300 + chin - 10},378 300,378` +
    `C${300 - chin + 10},378 ${300 - chin - 4},368 ${300 - chin - 20},352C${left + 8},328 ${left},300 ${left},246Z`
  );
}

function head(features: Features): string {
  const { skin, face } = features;
  const shade = shadeOf(skin);
  const ear = (x: number, side: number): string =>
    ellipse([x, 268], 14, 22, { fill: side === 1 ? shade : skin }) +
    path(`M${x + side * 4},258q${side * 6},10 0,20`, stroke(mix(skin, '#4a1a12', 0.45), 2.2, 0.7));
  const lit = clipped(
    'head',
    path(headShape(features), {}),
    path(headShape(features), { fill: skin }),
    path(
      `M318,130C352,190 346,236 ${300 + face * 0.72},268C${300 + face * 0.62},322 344,352 306,384L420,400V120Z`,
      { fill: shade, opacity: 0.38 },
    ),
    blush([300 - face * 0.54, 306]),
    blush([300 + face * 0.54, 306]),
    beard(features),
  );
  return (
    ear(300 - face - 1, -1) + ear(300 + face + 1, 1) + lit + eyes(features) + nose(features) + mouth(features)
  );
}

function blush(at: Point): string {
  return [1, 0.72, 0.44]
    .map((size) => ellipse(at, 25 * size, 16 * size, { fill: '#d9552f', opacity: 0.055 }))
    .join('');
}

function eyes({ skin, eyes: iris, hair, style, lined, beard: bearded }: Features): string {
  const browColour = style === 'bald' ? '#55504c' : mix(hair, skin, hair > '#a' ? 0.12 : 0.04);
  const lid = mix(skin, '#2a100b', 0.72);
  const brow = bearded === 'none' ? 5.5 : 8;
  const eye = (x: number, side: number): string =>
    path(`M${x - 16},262C${x - 8},252 ${x + 8},252 ${x + 16},262C${x + 8},269 ${x - 8},269 ${x - 16},262Z`, {
      fill: '#fbf6ee',
    }) +
    circle([x, 261], 7.4, { fill: iris }) +
    circle([x, 261], 3.6, { fill: '#120c0a' }) +
    circle([x + 2.6, 258.4], 1.9, { fill: '#ffffff' }) +
    path(`M${x - 17},263C${x - 8},250.5 ${x + 8},250.5 ${x + 17},262`, {
      ...stroke(lid, 3.4),
      'stroke-linecap': 'round',
    }) +
    path(`M${x - side * 17},240C${x - side * 6},233 ${x + side * 8},231 ${x + side * 20},239`, {
      ...stroke(browColour, brow),
      'stroke-linecap': 'round',
    }) +
    (lined ? path(`M${x - 11},278q11,6 21,0`, stroke(mix(skin, '#4a1a12', 0.4), 1.8, 0.6)) : '');
  return eye(267, -1) + eye(333, 1);
}

function nose({ skin }: Features): string {
  const drawn = { ...stroke(mix(skin, '#4a1a12', 0.48), 3), 'stroke-linecap': 'round' };
  return (
    path('M305,262C308,282 316,296 315,304C312,312 299,313 291,309', drawn) +
    path('M312,300q7,3 3,9', { ...drawn, 'stroke-width': 2 })
  );
}

function mouth({ lips, skin, beard: bearded, lined }: Features): string {
  const line_ = { ...stroke(mix(lips, '#2a0d0a', 0.45), 2.8), 'stroke-linecap': 'round' };
  const upper = path('M272,337C284,331 294,329 300,332C306,329 316,331 328,336C316,341 286,342 272,337Z', {
    fill: lips,
  });
  const lower = path('M276,338C288,342 314,342 324,337C316,353 284,353 276,338Z', {
    fill: mix(lips, skin, 0.28),
  });
  const smile = path('M269,335C284,343 316,343 331,334', line_);
  const folds = lined
    ? path('M258,312q-9,11 -7,22', stroke(mix(skin, '#4a1a12', 0.4), 2, 0.6)) +
      path('M342,312q9,11 7,22', stroke(mix(skin, '#4a1a12', 0.4), 2, 0.6))
    : '';
  return (bearded === 'none' ? upper : '') + lower + smile + folds;
}

function beard({ beard: kind, hair, skin, face, style }: Features): string {
  const colour = style === 'bald' ? hair : mix(hair, skin, 0.06);
  const lip = path(
    'M262,336C270,322 286,315 300,319C314,315 330,322 338,336C324,328 312,330 300,330C288,330 276,328 262,336Z',
    { fill: colour },
  );
  const jaw = `M${300 - face},258C${300 - face + 8},300 ${300 - face + 16},318 ${300 - 44},322C262,318 280,313 300,317C320,313 338,318 344,322C${300 + face - 16},318 ${300 + face - 8},300 ${300 + face},258V400H${300 - face}Z`;
  if (kind === 'full') return path(jaw, { fill: colour });
  if (kind === 'stubble') return path(jaw, { fill: colour, opacity: 0.12 });
  if (kind === 'moustache') return path(jaw, { fill: colour, opacity: 0.13 }) + lip;
  if (kind === 'goatee')
    return (
      path(jaw, { fill: colour, opacity: 0.22 }) +
      lip +
      path(
        'M264,336C264,372 280,388 300,388C320,388 336,372 336,336C326,362 316,359 300,359C284,359 274,362 264,336Z',
        { fill: colour },
      )
    );
  return '';
}

function glasses({ glasses: kind, face, skin }: Features): string {
  if (kind === 'none') return '';
  const frame = { fill: '#ffffff', 'fill-opacity': 0.14, stroke: mix(INK, skin, 0.08), 'stroke-width': 4.6 };
  const lens = (x: number): string =>
    kind === 'round' ? circle([x, 263], 28, frame) : rect(x - 30, 241, 60, 44, { ...frame, rx: 11 });
  const metal = stroke(INK, 4.2);
  const edge = kind === 'round' ? 28 : 30;
  const arms =
    path(`M${266 - edge},257L${300 - face},252`, metal) + path(`M${334 + edge},257L${300 + face},252`, metal);
  return lens(266) + lens(334) + path(`M${266 + edge},258Q300,248 ${334 - edge},258`, metal) + arms;
}

function earrings({ earrings: worn, face }: Features): string {
  if (!worn) return '';
  const gold = { fill: '#e0b45c' };
  return circle([300 - face - 4, 297], 6.5, gold) + circle([300 + face + 4, 297], 6.5, gold);
}
