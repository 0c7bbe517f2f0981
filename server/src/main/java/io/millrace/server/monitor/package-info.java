/**
 * Shows a server to the outside: services that the application adds to the context. Without them the server opens no
 * port and registers nothing.
 */
package io.millrace.server.monitor;
