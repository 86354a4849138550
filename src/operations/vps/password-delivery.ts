/** Ways to deliver a password in the API document, which doesn't say that its list is complete. */
export const passwordDeliveries = ['email', 'api'] as const;

export const deliveryHint =
  'With email, the service mails the password. With api, it is shown here once, only to you.';
