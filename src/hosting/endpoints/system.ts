import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { displayText } from './fields.ts';

export const getStatus = defineEndpoint({
  summary: 'API status, with the permissions of the calling key',
  method: 'GET',
  path: '/v1',
  permission: null,
  params: {},
  data: z.looseObject({
    version: displayText,
    service: displayText,
    timestamp: displayText,
    permissions: z.array(z.string()),
  }),
});

export const getMe = defineEndpoint({
  summary: 'User information attached to the calling key',
  method: 'GET',
  path: '/v1/me',
  permission: null,
  params: {},
});
