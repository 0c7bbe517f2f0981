/**
 * The contract between events and bytes: codecs for code that stores events or sends them. It needs no server.
 */
package io.millrace.server.codec;
