/**
 * Tools for an agent's thread: an idle strategy and CPU pinning. They can be used without a server.
 */
package io.millrace.server.agent;
