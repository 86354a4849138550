import { z } from 'zod';
import { once } from '../../once.ts';
import { exactlyOneSource, imageSource } from '../composition-objects.ts';

/** A small image inside another block. */
export const imageElement = once(() =>
  z.strictObject({ type: z.literal('image'), ...imageSource() }).refine(...exactlyOneSource),
);
