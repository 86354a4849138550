import type { Fact } from '../define/outcome.ts';

/** The ways to deliver a password that the API document lists. It doesn't say that the list is complete. */
export const passwordDeliveries = ['email', 'api'] as const;

export const deliveryHint =
  'With email, the service mails the password. With api, it is shown here once, only to you.';

/** Formats how the new password will be delivered, for the confirmation card. */
export function formatDelivery(delivery: string): Fact {
  const value =
    delivery === 'email'
      ? 'mailed by the service'
      : delivery === 'api'
        ? 'shown in Slack once, only to the requester'
        : `delivered by ${delivery}`;
  return { label: 'New password', value };
}

/** Returns advice if the new password is missing from the response to a change. */
export function missingPasswordNotes(
  secrets: readonly unknown[],
  { vps, delivery }: { readonly vps: string; readonly delivery: string },
): readonly string[] {
  return delivery === 'api' && secrets.length === 0
    ? [
        `The service's response contains no password. To get one, reset the root password of ${vps} and have it delivered by email.`,
      ]
    : [];
}
