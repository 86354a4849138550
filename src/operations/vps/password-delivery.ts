/** Ways to deliver a password in the API document, which doesn't say that its list is complete. */
export const passwordDeliveries = ['email', 'api'] as const;

export const deliveryHint =
  'With email, the service mails the password. With api, it is shown here once, only to you.';

/** Says what to do if the response to a change should contain the new password, but doesn't. */
export function missingPasswordNotes(
  secrets: readonly unknown[],
  { vps, delivery }: { readonly vps: string; readonly delivery: string },
): readonly string[] {
  return delivery === 'api' && secrets.length === 0
    ? [
        `The service's response contains no password. To get one, reset the root password of ${vps} with delivery by email.`,
      ]
    : [];
}
