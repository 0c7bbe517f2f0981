/**
 * Events in files: a sink of lines, a recording of a feed, and its replay.
 */
package io.millrace.server.file;
