/**
 * Recorded files as sources: a file of comma separated rows, plain or gzip, becomes pooled events, at full speed or at
 * the pace at which it was recorded.
 */
package io.millrace.server.replay;
