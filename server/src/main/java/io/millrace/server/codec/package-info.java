/**
 * Codecs that convert events to bytes and back, for code that stores or sends events. No server is needed.
 */
package io.millrace.server.codec;
