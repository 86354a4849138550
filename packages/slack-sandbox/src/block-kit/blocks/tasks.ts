import { z } from 'zod';
import { once } from '../../once.ts';
import { richText } from '../rich-text.ts';
import { id } from '../text-objects.ts';

const source = once(() =>
  z.strictObject({ type: z.literal('url'), url: z.string().min(1), text: z.string().min(1) }),
);

const status = once(() => z.enum(['pending', 'in_progress', 'complete', 'error']));

export const taskCard = once(() =>
  z.strictObject({
    type: z.literal('task_card'),
    block_id: id().optional(),
    task_id: z.string().min(1),
    title: z.string().min(1),
    details: richText().optional(),
    output: richText().optional(),
    sources: z.array(source()).optional(),
    status: status().optional(),
  }),
);

/** A list of tasks, whose `type` is optional. */
export const plan = once(() =>
  z.strictObject({
    type: z.literal('plan'),
    block_id: id().optional(),
    title: z.string().min(1),
    tasks: z.array(taskCard().extend({ type: z.literal('task_card').optional() })).optional(),
  }),
);
