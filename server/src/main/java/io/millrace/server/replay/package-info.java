/**
 * Sources that replay recorded files: comma-separated rows, plain or gzip, become pooled events, at full speed or at
 * the recorded pace.
 */
package io.millrace.server.replay;
