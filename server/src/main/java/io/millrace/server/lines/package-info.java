/**
 * Sources of text lines: a file that grows, and sockets. Lines are bytes; an {@code EventCodec} makes events of them.
 */
package io.millrace.server.lines;
