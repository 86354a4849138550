/**
 * The environment of a child process that gets none of the settings of the tests. Child processes
 * share their compiled code: see `vitest.config.ts`.
 */
export const childEnvironment = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};
