import { z } from 'zod';

export const reportJobName = 'report';

export const reportJobPayload = z.object({
  /** The occurrence to which the attempts belong; `null` if that is the next one. */
  dueMs: z.number().nullable(),
});

/** The job of a report: an alarm for its next occurrence, which is in the report's own row. */
export type ReportJobPayload = z.infer<typeof reportJobPayload>;
