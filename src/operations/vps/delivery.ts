/** Ways to hand over a password that the API document uses; it does not say that they are all. */
export const deliveries = ['email', 'api'] as const;

export const deliveryHint =
  'With email the service sends the password by mail; with api it comes back here, and is shown to you alone, once.';
