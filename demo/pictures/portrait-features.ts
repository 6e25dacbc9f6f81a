import type { Random } from './random.ts';

export type HairStyle =
  | 'crop'
  | 'side-part'
  | 'bob'
  | 'long'
  | 'bun'
  | 'curls'
  | 'waves'
  | 'pixie'
  | 'swept'
  | 'bald';
export type Clothes = 'blazer' | 'shirt' | 'crew' | 'turtleneck' | 'scarf' | 'tie' | 'blouse';

/** What a drawn person looks like. Colours are six-digit hex; shares are 0 to 1. */
export interface Features {
  skin: string;
  hair: string;
  style: HairStyle;
  clothes: Clothes;
  cloth: string;
  under: string;
  ground: string;
  disc: string;
  eyes: string;
  glasses: 'none' | 'round' | 'square';
  beard: 'none' | 'stubble' | 'full' | 'moustache' | 'goatee';
  earrings: boolean;
  /** Half the width of the face, in units of a 600 square. */
  face: number;
  /** Half the width of the chin. */
  chin: number;
  lips: string;
  lined: boolean;
}

const INK = '#1d1c21';

const PEOPLE: Readonly<Record<string, Features>> = {
  'ines-halloran': {
    skin: '#e8b998',
    hair: '#5a2c1f',
    style: 'bob',
    clothes: 'blazer',
    cloth: '#22323f',
    under: '#f1e9dc',
    ground: '#cfdbd8',
    disc: '#e9a27a',
    eyes: '#3b2a20',
    glasses: 'none',
    beard: 'none',
    earrings: true,
    face: 74,
    chin: 27,
    lips: '#b44a3d',
    lined: false,
  },
  'tobias-renneke': {
    skin: '#efc6a8',
    hair: '#a9987f',
    style: 'side-part',
    clothes: 'shirt',
    cloth: '#4f6f8a',
    under: '#f4efe4',
    ground: '#efe3cd',
    disc: '#b9c7cf',
    eyes: '#3f5a6b',
    glasses: 'round',
    beard: 'full',
    earrings: false,
    face: 77,
    chin: 36,
    lips: '#b9705d',
    lined: true,
  },
  'priyanka-vaswani': {
    skin: '#b97c53',
    hair: '#1c1618',
    style: 'long',
    clothes: 'blouse',
    cloth: '#b8873a',
    under: '#b8873a',
    ground: '#d9d3e0',
    disc: '#7d587a',
    eyes: '#21150f',
    glasses: 'none',
    beard: 'none',
    earrings: true,
    face: 72,
    chin: 25,
    lips: '#96403a',
    lined: false,
  },
  'marcus-adeyemi': {
    skin: '#6f452e',
    hair: '#17120f',
    style: 'crop',
    clothes: 'turtleneck',
    cloth: '#2b2a30',
    under: '#2b2a30',
    ground: '#e8c9a4',
    disc: '#d9552f',
    eyes: '#150e0b',
    glasses: 'none',
    beard: 'goatee',
    earrings: false,
    face: 77,
    chin: 37,
    lips: '#6b3a31',
    lined: false,
  },
  'lena-sorvik': {
    skin: '#f3d0b8',
    hair: '#d6b070',
    style: 'bun',
    clothes: 'crew',
    cloth: '#2f665c',
    under: '#f3ece0',
    ground: '#f0dccd',
    disc: '#9fbdb4',
    eyes: '#436675',
    glasses: 'round',
    beard: 'none',
    earrings: false,
    face: 72,
    chin: 27,
    lips: '#c26a5b',
    lined: false,
  },
  'haruto-kanda': {
    skin: '#e6bd94',
    hair: '#1e1b1f',
    style: 'swept',
    clothes: 'crew',
    cloth: '#5a6198',
    under: '#f0e9dc',
    ground: '#dfe1d4',
    disc: '#efc089',
    eyes: '#1f1613',
    glasses: 'none',
    beard: 'stubble',
    earrings: false,
    face: 76,
    chin: 36,
    lips: '#c0866a',
    lined: false,
  },
  'amara-whitcombe': {
    skin: '#8f5b3d',
    hair: '#2a1a16',
    style: 'curls',
    clothes: 'blazer',
    cloth: '#b4452c',
    under: '#f3e8d8',
    ground: '#cbd6d9',
    disc: '#e7b765',
    eyes: '#1c110c',
    glasses: 'none',
    beard: 'none',
    earrings: true,
    face: 72,
    chin: 28,
    lips: '#8a3b36',
    lined: false,
  },
  'joaquin-ferrante': {
    skin: '#d9a27a',
    hair: '#2b2020',
    style: 'waves',
    clothes: 'shirt',
    cloth: '#7c6a58',
    under: '#efe7d8',
    ground: '#d4dccb',
    disc: '#c56f4a',
    eyes: '#2a1a12',
    glasses: 'none',
    beard: 'moustache',
    earrings: false,
    face: 76,
    chin: 34,
    lips: '#a85f4c',
    lined: false,
  },
  'sunniva-dahl': {
    skin: '#f0cdb6',
    hair: '#c9c7c6',
    style: 'pixie',
    clothes: 'scarf',
    cloth: '#3b4a63',
    under: '#d9421f',
    ground: '#dde2e8',
    disc: '#8ea3b8',
    eyes: '#4a6b80',
    glasses: 'square',
    beard: 'none',
    earrings: true,
    face: 72,
    chin: 28,
    lips: '#b85c50',
    lined: true,
  },
  'bertrand-okafor': {
    skin: '#5d3a29',
    hair: '#b9b4ae',
    style: 'bald',
    clothes: 'tie',
    cloth: '#3a3f4a',
    under: '#f4efe6',
    ground: '#ead9b8',
    disc: '#6f8f8a',
    eyes: '#140d0a',
    glasses: 'square',
    beard: 'full',
    earrings: false,
    face: 78,
    chin: 38,
    lips: '#5f342c',
    lined: true,
  },
};

const SKINS = ['#f2cfb5', '#e6bb96', '#d4a077', '#b67b53', '#8c593c', '#66402b'] as const;
const HAIRS = [INK, '#2a1c18', '#55301f', '#7a5130', '#b8925a', '#bdb8b2'] as const;
const CLOTHS = ['#22323f', '#4f6f8a', '#2f665c', '#75506c', '#b8873a', '#a94a33', '#3b3a41'] as const;
const GROUNDS = ['#cfdbd8', '#efe3cd', '#d9d3e0', '#e8c9a4', '#dfe1d4', '#dde2e8', '#f0dccd'] as const;
const DISCS = ['#e9a27a', '#b9c7cf', '#d9552f', '#9fbdb4', '#efc089', '#8ea3b8', '#7d587a'] as const;

/** The features of a known author, else a plausible person by chance. */
export function featuresOf(key: string, random: Random): Features {
  return PEOPLE[key] ?? anyone(random);
}

/** The keys of the authors with features of their own. */
export const KNOWN_PEOPLE: readonly string[] = Object.keys(PEOPLE);

function anyone(random: Random): Features {
  const bearded = random.chance(0.45);
  const style = bearded
    ? random.pick<HairStyle>(['crop', 'side-part', 'swept', 'waves', 'bald'])
    : random.pick<HairStyle>(['bob', 'long', 'bun', 'curls', 'pixie', 'side-part', 'swept']);
  return {
    skin: random.pick(SKINS),
    hair: random.pick(HAIRS),
    style,
    clothes: random.pick<Clothes>(
      bearded
        ? ['blazer', 'shirt', 'crew', 'turtleneck', 'tie']
        : ['blazer', 'blouse', 'crew', 'turtleneck', 'scarf'],
    ),
    cloth: random.pick(CLOTHS),
    under: '#f3ece0',
    ground: random.pick(GROUNDS),
    disc: random.pick(DISCS),
    eyes: '#22160f',
    glasses: random.pick(['none', 'none', 'round', 'square']),
    beard: bearded ? random.pick(['stubble', 'full', 'moustache', 'goatee']) : 'none',
    earrings: !bearded && random.chance(0.6),
    face: random.between(71, 79),
    chin: bearded ? random.between(32, 38) : random.between(25, 31),
    lips: '#a3534a',
    lined: random.chance(0.3),
  };
}
