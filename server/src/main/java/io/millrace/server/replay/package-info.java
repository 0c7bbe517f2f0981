/**
 * Recorded files as sources: replays a file of comma-separated rows, plain or gzip, as pooled events, at full speed or
 * at the recorded pace.
 */
package io.millrace.server.replay;
