declare const process: { env: { NODE_ENV?: string } }

/** False where a bundler, or Node, says that this is production. */
export function isDevelopment(): boolean {
  try {
    return process.env.NODE_ENV !== 'production'
  } catch {
    return true // a browser without a bundler knows no process
  }
}
