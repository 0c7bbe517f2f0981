/**
 * Recorded order commands: rows of CSV files as commands. Needs the server module, see {@code
 * io.millrace.server.replay}.
 */
package io.millrace.engine.replay;
